import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import { type Calculation, type Calculator, CALCULATOR_TITLES, type CalculatorValues, type InputGroup, type Note } from '../calculator.ts';
import { withoutAbsent } from '#core/base/lists.ts';

const GIBIBYTE = 2 ** 30;

/** Memory per connection of MySQL in the default parameter group of Amazon RDS. */
const MYSQL_BYTES_PER_CONNECTION = 12_582_880;
/** Memory per connection of PostgreSQL in the default parameter group of Amazon RDS, and its maximum number of connections. */
const POSTGRESQL_BYTES_PER_CONNECTION = 9_531_392;
const POSTGRESQL_CAP = 5_000;

interface ConnectionLimits {
  readonly mysql: number;
  readonly postgresql: number;
}

/** Returns `max_connections` of Amazon RDS for this memory: MySQL memory / 12,582,880, PostgreSQL LEAST(memory / 9,531,392, 5000). */
export function connectionLimits(gibibytes: number): ConnectionLimits {
  const bytes = gibibytes * GIBIBYTE;
  return {
    mysql: Math.floor(bytes / MYSQL_BYTES_PER_CONNECTION),
    postgresql: Math.min(Math.floor(bytes / POSTGRESQL_BYTES_PER_CONNECTION), POSTGRESQL_CAP),
  };
}

/**
 * Returns the memory in GiB that gives an observed limit; for PostgreSQL, null at the maximum, because every larger amount of memory gives
 * it too.
 */
export function memoryForLimit(limit: number): { readonly mysql: number; readonly postgresql: number | null } {
  return {
    mysql: (limit * MYSQL_BYTES_PER_CONNECTION) / GIBIBYTE,
    postgresql: limit >= POSTGRESQL_CAP ? null : (limit * POSTGRESQL_BYTES_PER_CONNECTION) / GIBIBYTE,
  };
}

export function connectionsNeeded(processes: number, pool: number, overflow: number): number {
  return processes * (pool + overflow);
}

const groups = [
  {
    title: 'The database',
    inputs: {
      'memory-gib': { label: 'Memory of the machine', default: 4, min: 0.1, max: 100_000, whole: false, unit: 'GiB' },
      reserved: {
        label: 'Connections reserved for administrators',
        help: 'PostgreSQL reserves 3, MySQL 1.',
        default: 3,
        min: 0,
        max: 10_000,
      },
      'limit-seen': {
        label: 'Its actual limit',
        help: 'What “SHOW max_connections” says, if you have access.',
        default: null,
        min: 1,
        max: 1e6,
      },
    },
  },
  {
    title: 'The application',
    inputs: {
      processes: { label: 'Processes on all machines', default: 64, min: 0, max: 1e6 },
      pool: { label: 'Connections in the pool of each', default: 5, min: 0, max: 1e5 },
      overflow: { label: 'Connections beyond its pool', default: 10, min: 0, max: 1e5 },
    },
  },
] as const satisfies readonly InputGroup[];

export const connections: Calculator = {
  id: 'connections',
  title: CALCULATOR_TITLES.connections,
  story:
    'The limit that Amazon RDS derives from the memory, for MySQL and for PostgreSQL, against what the processes of the application may open.',
  groups,
  calculate,
};

/** Observed shares of the nominal memory that the database counts; the system uses the rest. */
const MEMORY_SHARES = [1, 0.91, 0.85] as const;
/** Smallest plausible share of the nominal memory for an observed limit. */
const MIN_MEMORY_SHARE = 0.75;

function calculate(values: CalculatorValues): Calculation {
  const memory = values['memory-gib'] ?? 0;
  const reserved = values['reserved'] ?? 0;
  const seen = values['limit-seen'] ?? null;
  const [processes, pool, overflow] = [values['processes'] ?? 0, values['pool'] ?? 0, values['overflow'] ?? 0];
  const needed = connectionsNeeded(processes, pool, overflow);
  const sum = `${formatCount(processes)} processes × (${formatCount(pool)} + ${formatCount(overflow)})`;
  const { mysql, postgresql } = connectionLimits(memory);
  return {
    sentence: `${sum} may open ${formatCount(needed)} connections. ${limitSentence(seen, mysql, postgresql)}`,
    table: {
      caption: 'Connections allowed, by the memory that the database counts with',
      columns: ['MySQL', 'PostgreSQL'],
      rows: [
        ...MEMORY_SHARES.map((share) => {
          const limits = connectionLimits(memory * share);
          const label = share === 1 ? 'All that the machine has' : `${formatPercent(share)} of it`;
          return { label, kind: 'count' as const, values: [limits.mysql, limits.postgresql] };
        }),
        { label: 'Needed by the application', kind: 'count', values: [needed, needed] },
      ],
    },
    notes: withoutAbsent([
      ...fitNotes(needed, reserved, seen, { mysql, postgresql }),
      seen !== null && noteSeenMemory(seen, memory),
      {
        level: 'info',
        text: 'The memory that RDS counts with is less than what the machine is sold with, since the system takes its part: expect 9 to 15 % fewer connections than the first row says.',
      },
    ]),
  };
}

function limitSentence(seen: number | null, mysql: number, postgresql: number): string {
  if (seen !== null) return `The database allows ${formatCount(seen)}.`;
  return `A database of RDS allows at most ${formatCount(mysql)} (MySQL) or ${formatCount(postgresql)} (PostgreSQL).`;
}

/** Notes whether the observed limit suffices, or, if no limit was observed, the default limit of each engine. */
function fitNotes(
  needed: number,
  reserved: number,
  seen: number | null,
  { mysql, postgresql }: { mysql: number; postgresql: number },
): Note[] {
  const limits: [string, number][] =
    seen === null
      ? [
          ['MySQL', mysql],
          ['PostgreSQL', postgresql],
        ]
      : [['The database', seen]];
  return limits.map(([name, limit]) => {
    const free = Math.max(0, limit - reserved);
    return needed > free
      ? {
          level: 'problem',
          text: `${name} has ${formatCount(free)} connections for the application, ${formatCount(needed - free)} too few: when all are busy, requests fail or wait. Make the pools smaller, or put a pooler before the database; it shares connections, but helps nobody who keeps one.`,
        }
      : { level: 'info', text: `${name} has ${formatCount(free)} connections for the application, which is enough.` };
  });
}

/** Notes the memory that would give the observed limit, and the engine that it matches. */
function noteSeenMemory(seen: number, nominal: number): Note {
  const memory = memoryForLimit(seen);
  const say = (name: string, gibibytes: number | null): string =>
    gibibytes === null
      ? `its highest limit for ${name}`
      : `${formatNumber(gibibytes)} GiB (${formatPercent(gibibytes / nominal)} of ${formatNumber(nominal)}) for ${name}`;
  const fits = (gibibytes: number | null): boolean => gibibytes !== null && gibibytes / nominal >= MIN_MEMORY_SHARE && gibibytes <= nominal;
  const engines = [
    ...(fits(memory.mysql) ? ['MySQL'] : []),
    ...(fits(memory.postgresql) || (memory.postgresql === null && connectionLimits(nominal).postgresql === seen) ? ['PostgreSQL'] : []),
  ];
  const conclusion =
    engines.length === 0 ? 'Neither fits: the limit was set by hand, or the memory is another.' : `That fits ${engines.join(' and ')}.`;
  return {
    level: engines.length === 0 ? 'warning' : 'info',
    text: `A limit of ${formatCount(seen)} would follow from ${say('MySQL', memory.mysql)} and ${say('PostgreSQL', memory.postgresql)}. ${conclusion}`,
  };
}
