/** `npm run import`: sends the readings of a file to a running server. With `--as-now`, it is `npm run replay`. */
await import(process.argv.includes('--as-now') ? './import/as-now.js' : './import/import-file.js');

export {};
