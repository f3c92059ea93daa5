import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { orderedFolders, roomsOfCore, rules, sharedPartsOfPage, shellOfPage, type FolderRule } from './table.ts';

const { imports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};
/** The folders, by their names in `imports` of package.json. For example, `src/core` has the name `core`. */
const aliases: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(imports).flatMap(([name, path]) => (name.endsWith('/*') ? [[name.slice(1, -2), path.slice(2, -2)]] : [])),
);

/**
 * Returns the reason why a file may not import something, or null if it may. `file` is relative to the project's folder and has forward
 * slashes. Tests and their helpers may import from every folder.
 */
export function judgeImport(file: string, source: string): string | null {
  if (/(^|\/)\.\.\/\.\.\//.test(source))
    return `Import "${source}" by its folder's name (#core/…): a path that climbs twice breaks when a file moves.`;
  if (/^[.#].*\/main\.ts$/.test(source))
    return `"${source}" is what a process starts with, and runs when it is imported: move what is needed of it.`;
  if (isTest(file)) return null;
  const home = getFolder(file);
  if (!home) return null;
  const rule = rules[home];
  if (!rule || rule.exceptions?.some((exception) => exception.file === file && source.startsWith(exception.imports))) return null;
  if (source.startsWith('.') || source.startsWith('#')) return judgeOwnImport(file, home, rule, source);
  if (source.startsWith('node:')) return rule.node ? null : `${home} runs outside Node as well: no "${source}".`;
  const name = packageName(source);
  return rule.packages.includes(name) ? null : `${home} may not import the package "${name}": see tools/lint/table.ts.`;
}

function judgeOwnImport(file: string, home: string, rule: FolderRule, source: string): string | null {
  const target = ownPath(file, source);
  if (target === null) return `"${source}" is no folder's name: see imports in package.json.`;
  if (isTest(target)) return `"${source}" belongs to the tests.`;
  const targetHome = getFolder(target);
  if (home.startsWith('src/ui') && target.startsWith('src/ui/')) return judgePagePart(file, target);
  if (targetHome === home) return (home === 'src/core' ? judgeRoom(file, target) : null) ?? judgeOrder(file, target);
  const name = Object.keys(aliases).find((alias) => targetHome !== null && aliases[alias] === targetHome);
  return name !== undefined && rule.folders.includes(name)
    ? null
    : `${home} may not import ${targetHome ?? target}: see docs/architecture.md.`;
}

function judgeOrder(file: string, target: string): string | null {
  for (const [parent, folders] of Object.entries(orderedFolders)) {
    const [from = -1, to = -1] = [file, target].map((path) => folders.findIndex((folder) => isIn(path, parent, folder)));
    if (from >= 0 && to > from)
      return `${posix.join(parent, folders[from] ?? '')} lies below ${folders[to]} and imports nothing of it: see orderedFolders in tools/lint/table.ts.`;
  }
  return null;
}

function isIn(path: string, parent: string, folder: string): boolean {
  return folder === '.' ? posix.dirname(path) === parent : path.startsWith(`${parent}/${folder}/`);
}

/** Judges imports between rooms of the core. A room may import only lower rooms. Within a room, `import/no-cycle` ensures an order. */
function judgeRoom(file: string, target: string): string | null {
  const [from, to] = [file, target].map((path) => /^src\/core\/([^/]+)\//.exec(path)?.[1] ?? '');
  for (const [path, room] of [
    [file, from],
    [target, to],
  ]) {
    if (room === undefined || !Object.hasOwn(roomsOfCore, room))
      return `${path} lies in no room of the core: see roomsOfCore in tools/lint/table.ts.`;
  }
  if (from === to || from === undefined || to === undefined || roomsOfCore[from]?.includes(to)) return null;
  return `The room ${from} of the core may not import the room ${to}: see docs/architecture.md.`;
}

/**
 * Judges imports within the page. The shell may import all parts, a feature may import shared parts and itself, and a shared part may
 * import earlier shared parts.
 */
function judgePagePart(file: string, target: string): string | null {
  const from = partOfPage(file);
  const to = partOfPage(target);
  if (from === to || from === null || to === null || from === shellOfPage) return null;
  const level = sharedPartsOfPage.indexOf(from);
  const targetLevel = sharedPartsOfPage.indexOf(to);
  if (level >= 0 && (targetLevel === -1 || targetLevel > level))
    return `src/ui/${from} is shared by all features, so it imports no feature and no later shared part: not src/ui/${to}.`;
  if (to === shellOfPage) return `src/ui/${to} is the shell: put what ${from} needs of it into src/ui/shared.`;
  return targetLevel === -1 ? `The feature ${from} may not import the feature ${to}: put what they share into src/ui/shared.` : null;
}

function partOfPage(path: string): string | null {
  return /^src\/ui\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)testing\//.test(path);
}

function getFolder(path: string): string | null {
  const found = Object.keys(rules).filter((folder) => path.startsWith(`${folder}/`));
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

function ownPath(file: string, source: string): string | null {
  if (source.startsWith('.')) return posix.join(posix.dirname(file), source);
  const [, alias = '', rest = ''] = /^#([^/]+)\/(.*)$/.exec(source) ?? [];
  return Object.hasOwn(aliases, alias) ? `${aliases[alias]}/${rest}` : null;
}

function packageName(source: string): string {
  const parts = source.split('/');
  return parts.slice(0, source.startsWith('@') ? 2 : 1).join('/');
}
