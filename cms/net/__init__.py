"""HTTP requests and mail from the site to other hosts; requests never reach addresses of the site's own network."""
