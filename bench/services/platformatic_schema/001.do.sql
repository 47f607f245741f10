-- A small library: a tree of foreign keys, a composite key, a key to the own table.

CREATE TABLE countries (
  id INTEGER PRIMARY KEY,
  name VARCHAR(80) NOT NULL UNIQUE,
  code CHAR(2)
);

CREATE TABLE publishers (
  id INTEGER PRIMARY KEY,
  name VARCHAR(120) NOT NULL,
  founded INTEGER,
  country_id INTEGER NOT NULL REFERENCES countries (id)
);

CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name VARCHAR(120) NOT NULL,
  biography TEXT,
  country_id INTEGER REFERENCES countries (id) ON DELETE SET NULL
);

CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  title VARCHAR(80) NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES categories (id)
);

CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  title VARCHAR(200) NOT NULL,
  pages INTEGER CHECK (pages > 0),
  price REAL,
  publisher_id INTEGER NOT NULL REFERENCES publishers (id),
  category_id INTEGER REFERENCES categories (id)
);

CREATE TABLE authorships (
  author_id INTEGER NOT NULL REFERENCES authors (id),
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  role VARCHAR(40) NOT NULL DEFAULT 'author',
  PRIMARY KEY (author_id, book_id)
);

CREATE TABLE copies (
  id INTEGER PRIMARY KEY,
  shelf VARCHAR(20) NOT NULL,
  book_id INTEGER NOT NULL REFERENCES books (id)
);

CREATE TABLE readers (
  id INTEGER PRIMARY KEY,
  email VARCHAR(200) NOT NULL UNIQUE,
  joined DATE,
  country_id INTEGER REFERENCES countries (id) ON DELETE SET NULL,
  favourite_id INTEGER REFERENCES categories (id)
);

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  body TEXT,
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  reader_id INTEGER NOT NULL REFERENCES readers (id)
);

CREATE TABLE loans (
  id INTEGER PRIMARY KEY,
  due DATE NOT NULL,
  returned BOOLEAN NOT NULL DEFAULT FALSE,
  copy_id INTEGER NOT NULL REFERENCES copies (id),
  reader_id INTEGER NOT NULL REFERENCES readers (id)
);
