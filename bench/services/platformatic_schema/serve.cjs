// Platformatic listens on every interface where it believes to run in a container, whatever its
// configuration says. So this starts the server that it builds, on loopback.
'use strict'

const { createRequire } = require('node:module')
const { join, resolve } = require('node:path')

async function main ([modules, configuration, port]) {
  const { buildServer } = createRequire(join(modules, 'package.json'))('@platformatic/db')
  const server = await buildServer(resolve(configuration))
  process.once('SIGTERM', () => server.close())
  await server.listen({ host: '127.0.0.1', port: Number(port) })
}

main(process.argv.slice(2))
