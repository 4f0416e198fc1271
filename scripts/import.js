/** `npm run import`: sends the readings in a file to a running server. With `--as-now`, it is the same as `npm run replay`. */
await import(process.argv.includes('--as-now') ? './import/as-now.js' : './import/import-file.js');

export {};
