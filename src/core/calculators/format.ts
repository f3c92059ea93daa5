import { formatBytes, formatCount, formatNumber } from '#core/base/units.ts';
import type { FigureKind } from './calculator.ts';

const GIBIBYTE = 2 ** 30;

/** Bytes in decimal units; from a gigabyte on also in the binary ones that disks are often counted in: "913 GB (850 GiB)". */
export function formatVolume(bytes: number): string {
  const decimal = formatBytes(bytes);
  return bytes < 1e9 ? decimal : `${decimal} (${formatNumber(bytes / GIBIBYTE)} GiB)`;
}

/** One figure as people read it; what makes no sense is empty. */
export function formatFigure(kind: FigureKind, value: number | null): string {
  if (value === null) return '';
  switch (kind) {
    case 'count':
      return formatCount(value);
    case 'bytes':
      return formatVolume(value);
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'times':
      return `${formatNumber(value)} ×`;
    default:
      return kind satisfies never;
  }
}
