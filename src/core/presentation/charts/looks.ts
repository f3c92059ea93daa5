/**
 * Looks of series by meaning: the same colour, dash and label colour everywhere. Colours are custom properties of series.css and follow the
 * theme; dashes distinguish lines in greyscale and for colour-blind readers.
 */
export interface SeriesLook {
  /** CSS colour, usable in SVG attributes and in styles. */
  readonly color: string;
  /** SVG `stroke-dasharray`; empty for a solid line. */
  readonly dash: string;
  /** Whether the area is hatched instead of filled. */
  readonly hatched: boolean;
}

const look = (name: string, dash = '', hatched = false): SeriesLook => ({ color: `var(--series-${name})`, dash, hatched });

export const SERIES = {
  planned: look('planned', '2 4'),
  started: look('started', '6 3'),
  completed: look('completed'),
  inFlight: look('in-flight'),
  bytes: look('bytes'),
  p50: look('p50'),
  p90: look('p90', '8 3'),
  /** The look has the same colour as p90, with another dash. */
  p95: look('p90', '8 3 2 3'),
  p99: look('p99', '3 3'),
  max: look('max', '1 3'),
  service: look('service', '6 2 1 2'),
  notStartedTarget: look('not-started-target'),
  notStartedGenerator: look('not-started-generator', '', true),
  status1xx: look('status-1xx'),
  status2xx: look('status-2xx'),
  status3xx: look('status-3xx'),
  status4xx: look('status-4xx'),
  status5xx: look('status-5xx'),
  socketError: look('socket-error', '2 2', true),
  notMade: look('started', '1 4', true),
  timeWait: look('time-wait', '10 3'),
} as const satisfies Record<string, SeriesLook>;

const VARIANT_DASHES = ['', '8 3', '2 3', '8 3 2 3', '14 4', '4 4'] as const;

/** Returns the look of a compared line: six colours with different dashes give twelve looks, and no two differ by colour alone. */
export function variantLook(index: number): SeriesLook {
  const round = Math.floor(index / VARIANT_DASHES.length);
  return look(`variant-${(index % VARIANT_DASHES.length) + 1}`, VARIANT_DASHES[(index + round) % VARIANT_DASHES.length]);
}

export type SeriesName = keyof typeof SERIES;
