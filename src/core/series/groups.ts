import { getOwn } from '#core/base/ownMembers.ts';
import { factorNames } from './format.ts';
import { levelName } from './levels.ts';
import type { SeriesRow } from './result.ts';

/** Rows that are alike in their level and in all factors but the named ones. */
export function groupsAlike(rows: readonly SeriesRow[], but: readonly string[]): SeriesRow[][] {
  return [
    ...Map.groupBy(rows, ({ factors, level }) => {
      const others = Object.entries(factors).filter(([name]) => !but.includes(name));
      return JSON.stringify([others.toSorted(([one], [other]) => one.localeCompare(other)), levelName(level)]);
    }).values(),
  ];
}

/** What the rows of one of these groups have in common that those of another do not: "10 users, cache on"; '' where that is nothing. */
export function conditionWords(group: readonly SeriesRow[], groups: readonly (readonly SeriesRow[])[], but: readonly string[]): string {
  const [row] = group;
  if (row === undefined) return '';
  const all = groups.flat();
  const level = new Set(all.map((other) => levelName(other.level))).size > 1 ? levelName(row.level) : '';
  const factors = factorNames(all)
    .filter((name) => !but.includes(name) && new Set(all.map((other) => String(getOwn(other.factors, name)))).size > 1)
    .flatMap((name) => (getOwn(row.factors, name) === undefined ? [] : [`${name} ${String(getOwn(row.factors, name))}`]));
  return [level, ...factors].filter((part) => part !== '').join(', ');
}
