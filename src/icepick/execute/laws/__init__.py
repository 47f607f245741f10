"""What holds for every service, whatever its contracts say."""
