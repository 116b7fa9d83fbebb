import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const projectRoot = path.resolve(import.meta.dirname, '../..');

export type SourceFile = {
  /** Relative to the project, `/` as separator. */
  path: string;
  text: string;
};

/** Every file below `folder` (relative to the project) whose name ends in one of `endings`. */
export function sourceFiles(folder: string, endings: readonly string[] = ['.ts', '.tsx']): SourceFile[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({
      path: path.relative(projectRoot, file).replaceAll(path.sep, '/'),
      text: readFileSync(file, 'utf8'),
    }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

export type ImportSite = { specifier: string; isTypeOnly: boolean; isDynamic: boolean };

/** Import and export-from specifiers of a module, static and dynamic. Reads the layout that the formatter makes. */
export function importsOf(text: string): ImportSite[] {
  const sites: ImportSite[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)) {
    sites.push({ specifier: match[2] ?? '', isTypeOnly: match[1] !== undefined, isDynamic: false });
  }
  for (const match of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) {
    sites.push({ specifier: match[1] ?? '', isTypeOnly: false, isDynamic: true });
  }
  return sites;
}
