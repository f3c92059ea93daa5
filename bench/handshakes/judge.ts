import type { Requirement } from '../figures/requirement.ts';
import { medianOf, medianRatio, type ByRound } from '../figures/statistics.ts';
import { formatFigure } from '../output/table.ts';

export const TOOLS = ['holdfast-native', 's_time'] as const;
export type Tool = (typeof TOOLS)[number];
export const KINDS = ['full', 'resumed'] as const;
export type Kind = (typeof KINDS)[number];

/** A combination of server key, TLS version and number of connections, such as `RSA-2048, TLS 1.3, 4 at once`. */
export interface Cell {
  readonly name: string;
  /** Handshakes per second in each round; null if they were not of the requested kind. */
  readonly rates: Readonly<Record<Tool, Readonly<Record<Kind, ByRound>>>>;
  /** Processor time of the generator per handshake in µs. */
  readonly costs: Readonly<Record<Tool, Readonly<Record<Kind, ByRound>>>>;
}

/** Minimum gain from resumption, relative to the gain that `openssl s_time` measures. */
const MIN_SHARE = 0.7;

/** Returns, for each round, the rate of resumed handshakes divided by the rate of full ones. */
function gainsByRound({ rates }: Cell, tool: Tool): ByRound {
  const { full, resumed } = rates[tool];
  return resumed.map((rate, round) => medianRatio([rate], [full[round] ?? null]));
}

/** Returns the requirements. They compare the native driver's gain from resumption with that of `openssl s_time`. */
export function handshakeRequirements(cells: readonly Cell[]): readonly Requirement[] {
  return cells.map((cell) => ({
    what: `resumed ÷ full handshakes/s, holdfast-native ÷ s_time, ${cell.name}`,
    value: medianRatio(gainsByRound(cell, 'holdfast-native'), gainsByRound(cell, 's_time')),
    unit: '',
    limit: { kind: 'atLeast', value: MIN_SHARE },
    aim: null,
  }));
}

export const RATES_HEAD = ['server', 'handshakes', ...TOOLS, 'ratio'];

/** Returns a row for each server and kind of handshake, and one for the gain from resumption. */
export function rateRows(cells: readonly Cell[]): string[][] {
  return cells.flatMap((cell) => [
    ...KINDS.map((kind) => {
      const [ours, theirs] = TOOLS.map((tool) => cell.rates[tool][kind]);
      return [cell.name, `${kind}/s`, formatFigure(medianOf(ours ?? []), 0), formatFigure(medianOf(theirs ?? []), 0), ratio(ours, theirs)];
    }),
    (() => {
      const [ours, theirs] = TOOLS.map((tool) => gainsByRound(cell, tool));
      return [
        cell.name,
        'resumed ÷ full',
        formatFigure(medianOf(ours ?? []), 2),
        formatFigure(medianOf(theirs ?? []), 2),
        ratio(ours, theirs),
      ];
    })(),
  ]);
}

/** Returns a row with the generator's cost per handshake for each server and kind of handshake. */
export function costRows(cells: readonly Cell[]): string[][] {
  return cells.flatMap((cell) =>
    KINDS.map((kind) => {
      const [ours, theirs] = TOOLS.map((tool) => cell.costs[tool][kind]);
      return [
        cell.name,
        `${kind}, µs`,
        formatFigure(medianOf(ours ?? []), 0),
        formatFigure(medianOf(theirs ?? []), 0),
        ratio(ours, theirs),
      ];
    }),
  );
}

function ratio(ours: ByRound | undefined, theirs: ByRound | undefined): string {
  return formatFigure(medianRatio(ours ?? [], theirs ?? []), 2);
}
