import { parseArgs } from 'node:util';
import { coverageOf, type Coverage } from '#core/verdict/testing/coverage.ts';
import { SERVER_KINDS } from '#core/verdict/testing/simulatedServers.ts';
import { markdownTable } from '../output/table.ts';

const USAGE = `node bench/main.ts coverage [options]
  --runs N           simulated runs of each kind of server (1000)
  --truth N          runs by which the truth about a kind is known (2000)
  --seconds N        length of a run (60)
  --per-second N     requests in a second (40)
  --help             this`;

/** Of what is said with 95 % confidence so much has to be true… */
const LEAST_TRUE = 0.95;
/** …and so much of what whoever knows how requests clump decides has to be decided. */
const LEAST_ALIKE = 0.8;
const MOST = 100_000;

/** Whether what is said with 95 % confidence is true, of every kind of simulated server; the exit code is 1 where it is not. */
export function benchCoverage(parameters: readonly string[], signal: AbortSignal, say: (line: string) => void): void {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...parameters],
    options: { runs: text, truth: text, seconds: text, 'per-second': text, help: { type: 'boolean' } },
  });
  if (values.help) return console.log(USAGE);
  const whole = (name: 'runs' | 'truth' | 'seconds' | 'per-second', otherwise: number): number => {
    const written = values[name] ?? String(otherwise);
    if (!/^[1-9]\d*$/.test(written) || Number(written) > MOST)
      throw new Error(`--${name} ${written}: write a whole number from 1 to ${MOST}.\n\n${USAGE}`);
    return Number(written);
  };
  const [runs, truth] = [whole('runs', 1_000), whole('truth', 2_000)];
  const watching = { seconds: whole('seconds', 60), perSecond: whole('per-second', 40) };
  const found: Coverage[] = [];
  for (const kind of SERVER_KINDS) {
    if (signal.aborted) break;
    found.push(coverageOf(kind, watching, runs, truth));
    say(`coverage: ${kind.name}`);
  }
  console.log(
    markdownTable(
      ['Server', 'Upper bounds true', 'Lower bounds true', 'Verdicts right', 'Decided of what the oracle decides', ''],
      found.map((each) => [
        each.kind,
        ...[each.highTrue / each.bounds, each.lowTrue / each.bounds, each.right / each.decided, each.alike / each.byOracle].map(
          (share) => `${(100 * share).toFixed(1)} %`,
        ),
        isMet(each) ? '' : 'missed',
      ]),
    ),
  );
  if (!found.every(isMet)) process.exitCode = 1;
}

function isMet({ bounds, highTrue, lowTrue, decided, right, byOracle, alike }: Coverage): boolean {
  return Math.min(highTrue / bounds, lowTrue / bounds, right / decided) >= LEAST_TRUE && alike / byOracle >= LEAST_ALIKE;
}
