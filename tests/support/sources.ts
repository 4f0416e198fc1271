import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** A parsed file of the application. Paths are relative to `app/`. */
export interface Source {
  path: string;
  /** The top folder of the path; empty for files at the top of `app/`. */
  folder: string;
  /** Imported modules of the application, types included, without extension. */
  imports: string[];
  /** Imported packages and built-in modules. */
  packages: string[];
  /** Identifiers and property accesses such as `process.env`. */
  readonly names: Set<string>;
  /** String literals. */
  readonly strings: string[];
}

/** Returns the paths of all files below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Parses every module below `app/`. */
export function readSources(): Source[] {
  return filesBelow('app')
    .filter((path) => /\.(ts|tsx|js)$/.test(path))
    .map(readSource);
}

/** Strips the extension, which only some imports have. */
export const moduleName = (path: string) => path.replace(/\.(tsx?|js)$/, '');

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const path = relative('app', file);
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  let parsed: ReturnType<typeof namesAndStrings> | undefined;
  const tree = () => {
    parsed ??= namesAndStrings(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
    return parsed;
  };
  const local = specifiers.filter((specifier) => specifier.startsWith('.'));
  return {
    path,
    folder: path.includes('/') ? (path.split('/')[0] as string) : '',
    imports: local.map((specifier) => moduleName(relative('app', join(dirname(file), specifier)))),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
    // Walking the tree takes most of the time, and some tests need only the imports.
    get names() {
      return tree().names;
    },
    get strings() {
      return tree().strings;
    },
  };
}

function namesAndStrings(file: ts.SourceFile) {
  const names = new Set<string>();
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    if (ts.isPropertyAccessExpression(node)) names.add(node.getText(file));
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) strings.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { names, strings };
}

/** The addresses of the pages, one for each `.tsx` file of `app/routes`. */
export const PAGE_PATHS = filesBelow('app/routes')
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => `/${basename(file, '.tsx').replace('_index', '')}`);

/** The pages that show readings. */
export const READING_PAGES = PAGE_PATHS.filter((path) => path !== '/notifications' && path !== '/sensors');

/** Addresses that a page with readings answers with status 200. */
export const GOOD_PAGES = [
  ...READING_PAGES,
  '/?range=1HR',
  '/chart?range=1HR',
  '/?wall',
  '/chart?range=1HR&wall',
  '/history?span=year&compare=before',
  '/chart?span=day',
  '/chart?span=day&wall',
  '/sensors',
  '/rooms?span=week',
  '/rooms?wall',
];

/** True for pages that show no sensor's readings alone. */
export const isOfRooms = (path: string) => path.startsWith('/rooms') || path === '/sensors';

/** `GOOD_PAGES`, and addresses answered with the error page. */
export const PAGES = [...GOOD_PAGES, '/?range=1DAY', '/chart?range=1DAY', '/history?span=decade', '/nowhere'];
