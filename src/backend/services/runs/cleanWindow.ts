import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Window } from '#core/measurement/window.ts';
import { mergeServers } from '#core/measurement/windowFold.ts';

/** A window without secrets in the names that a server has a say in, such as its own or what an error is called: counts of names that become one are added up. */
export function cleanWindow(window: Window, clean: (text: string) => string): Window {
  const { side } = window;
  return {
    ...window,
    cells: window.cells.map((cell) => ({ ...cell, errors: cleanCounts(cell.errors, clean), servers: cleanServers(cell.servers, clean) })),
    ...(side && { side: { ...side, cells: side.cells.map((cell) => ({ ...cell, errors: cleanCounts(cell.errors, clean) })) } }),
  };
}

export function cleanCounts(counts: Readonly<Record<string, number>>, clean: (text: string) => string): Record<string, number> {
  const cleaned: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const shown = clean(name);
    setOwn(cleaned, shown, (getOwn(cleaned, shown) ?? 0) + count);
  }
  return cleaned;
}

function cleanServers(servers: Window['cells'][number]['servers'], clean: (text: string) => string): Window['cells'][number]['servers'] {
  const cleaned: Window['cells'][number]['servers'] = {};
  for (const [name, count] of Object.entries(servers)) {
    const one: Window['cells'][number]['servers'] = {};
    setOwn(one, clean(name), count);
    mergeServers(cleaned, one);
  }
  return cleaned;
}
