import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** A file of the application, taken apart. Paths are relative to `app/`. */
export interface Source {
  path: string;
  /** The folder it belongs to; empty for those at the top. */
  layer: string;
  lines: number;
  /** Modules of the application it imports, types included, without their extension. */
  imports: string[];
  /** Packages and built-in modules it imports. */
  packages: string[];
  /** Names it uses, and what is named with dots; comments and strings aside. */
  names: Set<string>;
  /** What stands in quotes. */
  strings: string[];
}

/** Paths of all files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Every module below `app/`. */
export function readSources(): Source[] {
  return filesBelow('app')
    .filter((path) => /\.(ts|tsx|js)$/.test(path))
    .map(readSource);
}

/** Without the extension by which some modules are imported. */
export const moduleName = (path: string) => path.replace(/\.(tsx?|js)$/, '');

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const path = relative('app', file);
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const local = specifiers.filter((specifier) => specifier.startsWith('.'));
  return {
    path,
    layer: path.includes('/') ? (path.split('/')[0] as string) : '',
    lines: text.trimEnd().split('\n').length,
    imports: local.map((specifier) => moduleName(relative('app', join(dirname(file), specifier)))),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
    ...namesAndStrings(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)),
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
