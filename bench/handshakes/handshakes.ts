import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNginx } from '#workers/testing/nginx.ts';
import type { Measurement } from '../commands.ts';
import { decideOutcome, requirementCells } from '../figures/requirement.ts';
import { markdownTable } from '../output/table.ts';
import { coresFor, type Cores, WANTED_CORES } from '../running/cores.ts';
import { measureOtherLoad } from '../running/othersShare.ts';
import { integer, names, type OptionValues, readOptions } from '../running/readOptions.ts';
import { rotate } from '../running/rounds.ts';
import { KEYS, makeCertificate, type Certificate, type KeyName } from './certificate.ts';
import { makeHandshakes } from './generators.ts';
import { costRows, handshakeRequirements, KINDS, RATES_HEAD, rateRows, TOOLS, type Cell, type Kind, type Tool } from './judge.ts';
import { handshakesIn, LOG_FORMAT } from './log.ts';

const VERSIONS = ['1.2', '1.3'] as const;
type Version = (typeof VERSIONS)[number];
/** Minimum share of handshakes of the requested kind. If the share is lower, a generator did not do what it was asked to do. */
const MIN_SHARE = 0.95;

const OPTIONS = {
  clients: {
    shape: 'A,B',
    help: 'connections that are opened at the same time; for s_time, number of processes (1,4)',
    read: ([text = '1,4']: readonly string[]) => text.split(',').map((one) => integer('', 1, 64).read([one])),
  },
  rounds: integer('number of measurements', 2, 100),
  seconds: integer('length of each', 3, 60),
  versions: names('versions of TLS', VERSIONS, ['1.3']),
  cores: WANTED_CORES,
};
type Options = OptionValues<typeof OPTIONS>;

/**
 * Returns the measurement that compares Holdfast with `openssl s_time` in full and resumed TLS handshakes per second, as counted in the log
 * of an nginx on one core.
 */
export function readHandshakes(parameters: readonly string[]): Measurement {
  const options = readOptions('handshakes', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => measureHandshakes(options, signal, print);
}

async function measureHandshakes(options: Options, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  const cores = coresFor(options.cores, print);
  const busy = await measureOtherLoad();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-handshakes-'));
  try {
    const cells: Cell[] = [];
    for (const key of Object.keys(KEYS) as KeyName[]) {
      const certificate = await makeCertificate(key, folder);
      for (const version of options.versions)
        for (const clients of options.clients)
          cells.push(await measureCell({ key, version, clients, certificate, cores, options, signal, print }));
    }
    const requirements = handshakeRequirements(cells);
    console.log(
      [
        `nginx on core ${cores.target ?? 'any'}, generators on core ${cores.generator ?? 'any'}, ${options.rounds} rounds of ${options.seconds} s. Counted by the log of nginx, after a second of warm-up. Ratios are medians of those within a round. Before it, other programs used ${busy === null ? 'an unknown share' : `${(busy * 100).toFixed(0)} %`} of the processors.`,
        markdownTable(RATES_HEAD, rateRows(cells)),
        'Processor time of the generator for a handshake with its request:',
        markdownTable(RATES_HEAD, costRows(cells)),
        markdownTable(['required', 'measured', 'limit', 'aim', 'outcome'], requirements.map(requirementCells)),
      ].join('\n\n'),
    );
    const outcomes = new Set(requirements.map(decideOutcome));
    if (outcomes.has('missed')) process.exitCode = 1;
    else if (outcomes.has('unknown')) process.exitCode = 2;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface CellWork {
  readonly key: KeyName;
  readonly version: Version;
  readonly clients: number;
  readonly certificate: Certificate;
  readonly cores: Cores;
  readonly options: Options;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

async function measureCell(work: CellWork): Promise<Cell> {
  const { key, version, clients, options, print } = work;
  const name = `${key}, TLS ${version}, ${clients === 1 ? 'one after the other' : `${clients} at once`}`;
  const rates = byToolAndKind();
  const costs = byToolAndKind();
  const pairs = KINDS.flatMap((kind) => TOOLS.map((tool) => ({ tool, kind })));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { tool, kind } of rotate(pairs, round)) {
      const { perSecond, resumedShare, cores } = await measureOne(work, tool, kind);
      const isAsAsked = (kind === 'resumed' ? resumedShare : 1 - resumedShare) >= MIN_SHARE;
      rates[tool][kind].push(isAsAsked ? perSecond : null);
      costs[tool][kind].push(isAsAsked && perSecond !== null && cores !== null ? (cores / perSecond) * 1e6 : null);
      const share = `${(resumedShare * 100).toFixed(1)} % resumed`;
      print(
        `${name}, round ${round + 1}: ${tool} ${kind}: ${perSecond?.toFixed(0) ?? 'unknown'}/s, ${share}, ${cores?.toFixed(2) ?? '?'} cores`,
      );
    }
  }
  return { name, rates, costs };
}

async function measureOne({ version, clients, certificate, cores, options, signal }: CellWork, tool: Tool, kind: Kind) {
  signal.throwIfAborted();
  const nginx = await startNginx({
    isSecure: true,
    accessLog: false,
    http: `log_format handshakes '${LOG_FORMAT}';`,
    server: `access_log access.log handshakes;
    ssl_certificate "${certificate.file}";
    ssl_certificate_key "${certificate.keyFile}";
    ssl_protocols TLSv${version};
    location / { return 200 "hello world"; }`,
    ...(cores.target === null ? {} : { core: cores.target }),
  });
  let lines: readonly string[] = [];
  let used: number | null = null;
  try {
    const load = { url: nginx.url, certificate, kind, clients, seconds: options.seconds };
    used = await makeHandshakes(tool, load, cores.generator, signal);
  } finally {
    lines = await nginx.stopAndRead();
  }
  return { ...handshakesIn(lines), cores: used };
}

function byToolAndKind(): Record<Tool, Record<Kind, (number | null)[]>> {
  return { 'holdfast-native': { full: [], resumed: [] }, s_time: { full: [], resumed: [] } };
}
