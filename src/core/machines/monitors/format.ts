import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, NOT_KNOWN } from '#core/base/units.ts';
import { keyParts, type Quantity } from './quantity.ts';

/** A value of a monitor as people read it. */
export function formatQuantity(value: number | null, unit: Quantity['unit']): string {
  if (value === null) return NOT_KNOWN;
  switch (unit) {
    case 'share':
      return formatPercent(value);
    case 'count':
      return Number.isInteger(value) ? formatCount(value) : formatNumber(value);
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'bytes':
      return formatBytes(value);
    case 'bytesPerSecond':
      return `${formatBytes(value)}/s`;
    case 'ms':
      return formatMs(value);
    case 'cores':
      return value === 1 ? '1 core' : `${formatNumber(value)} cores`;
    default:
      return unit satisfies never;
  }
}

/** "eth0: in", "in use", "nginx". */
export function valueWords(key: string, { words }: Quantity): string {
  const { instance } = keyParts(key);
  if (instance === null) return words;
  return words === '' ? instance : `${instance}: ${words}`;
}
