/** A fault that ends the import: of a setting, of the whole file, or of the server. */
export class ImportError extends Error {}
