/** What the code in a folder may import. These rules are the table in docs/architecture.md in a form that can be checked. */
export interface FolderRule {
  /** Holdfast's own folders, by their names in `imports` of package.json. */
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Whether Node's modules are allowed. */
  readonly node: boolean;
  /** Additional imports of single files, each with the reason. */
  readonly exceptions?: readonly { readonly file: string; readonly imports: string; readonly reason: string }[];
}

const page = ['react', 'react-dom', 'react-aria-components', '@tanstack/react-query', 'wouter', 'lucide-react', 'zod'];

/** The rules by folder path. For a file, the longest matching path applies. */
export const rules: Readonly<Record<string, FolderRule>> = {
  'src/core': {
    folders: [],
    packages: ['@lezer/python', 'acorn', 'zod', 'css-what', 'hdr-histogram-js', 'htmlparser2', 'tldts', 'yaml'],
    node: false,
  },
  'src/contract': { folders: ['core'], packages: ['zod'], node: false },
  'src/threads': { folders: [], packages: [], node: true },
  'src/framer': { folders: [], packages: [], node: true },
  workers: { folders: ['core', 'contract', 'threads', 'framer'], packages: ['autocannon', 'zod'], node: true },
  'src/engine': { folders: ['core', 'contract', 'threads', 'workers'], packages: ['zod'], node: true },
  'src/selftest': { folders: ['core', 'engine'], packages: ['zod'], node: true },
  'src/backend': {
    folders: ['core', 'contract', 'threads', 'framer', 'engine', 'selftest', 'agent'],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      'better-sqlite3',
      'mysql2',
      'pg',
      'pino',
      'playwright-core',
      'ssh-config',
      'ssh2',
      'yaml',
      'zod',
    ],
    node: true,
  },
  'src/server': { folders: ['core', 'contract', 'backend'], packages: ['ws', 'zod'], node: true },
  'src/cli': {
    folders: ['core', 'contract', 'backend', 'server', 'lab', 'agent'],
    packages: ['@modelcontextprotocol/server', 'commander', 'yaml', 'zod'],
    node: true,
  },
  'src/agent': { folders: ['core', 'contract', 'engine'], packages: ['zod'], node: true },
  'src/lab': {
    folders: ['core'],
    packages: ['better-sqlite3', 'express', 'pg', 'ws', 'zod'],
    node: true,
    exceptions: [
      { file: 'src/lab/supervisor/runDirectory.ts', imports: '#engine/', reason: 'what the dead leave is found by the name of its folder' },
    ],
  },
  'src/ui': { folders: ['core', 'contract'], packages: page, node: false },
  'src/ui/charts': { folders: ['core', 'contract'], packages: [...page, 'recharts'], node: false },
  electron: {
    folders: ['core', 'contract'],
    packages: ['electron', 'zod'],
    node: true,
    exceptions: [{ file: 'electron/backendProcess.ts', imports: '#backend/', reason: "it is the backend's host" }],
  },
};

/**
 * The rooms of the core from the bottom up, each with the rooms that it may import, all of which are earlier ones. Every file in src/core
 * is in one of the rooms.
 */
export const roomsOfCore: Readonly<Record<string, readonly string[]>> = {
  base: [],
  statistics: ['base'],
  calculators: ['base'],
  measurement: ['base', 'statistics'],
  plan: ['base', 'measurement'],
  work: ['base', 'statistics', 'plan'],
  machines: ['base', 'measurement', 'plan', 'work'],
  export: ['base', 'plan', 'work'],
  result: ['base', 'statistics', 'measurement', 'plan', 'work', 'machines'],
  k6: ['base', 'statistics', 'measurement', 'plan', 'work', 'export', 'result'],
  review: ['base', 'statistics', 'measurement', 'plan', 'work', 'export'],
  import: ['base', 'plan', 'work', 'review'],
  judgement: ['base', 'statistics', 'measurement', 'plan', 'work', 'machines', 'result', 'review'],
  series: ['base', 'statistics', 'measurement', 'plan', 'work', 'result', 'review', 'judgement'],
  presets: ['base', 'calculators', 'plan', 'work', 'review', 'series'],
  comparison: ['base', 'statistics', 'measurement', 'plan', 'machines', 'result', 'series'],
  search: ['base', 'statistics', 'measurement', 'plan', 'work', 'result', 'review', 'judgement', 'series'],
  presentation: [
    'base',
    'statistics',
    'measurement',
    'plan',
    'work',
    'machines',
    'result',
    'review',
    'judgement',
    'series',
    'comparison',
    'search',
  ],
};

/** Parts of the page that every feature may import, lowest first. Each part imports only earlier parts, and no feature. */
export const sharedPartsOfPage: readonly string[] = ['styles', 'words', 'components', 'charts', 'run', 'shared'];

/** The shell of the page, which combines the features. No other part may import it. */
export const shellOfPage = 'app';

/**
 * Folders within a folder, lowest first. None may import a later one. `.` means the files next to the folders. All other folders have no
 * order.
 */
export const orderedFolders: Readonly<Record<string, readonly string[]>> = {
  workers: ['bodyCheck', 'sampling', 'streams', 'journey', 'drivers'],
  'src/core/judgement': ['behaviour', 'verdict', 'diagnosis', 'capacity'],
  'src/contract': ['page', 'rpc', 'agent'],
  'src/lab': ['supervisor', 'programs', 'web', 'link', 'contest', 'node-vs-gunicorn', 'registration', 'school-site', 'survey-lab', 'exam'],
  'src/cli': ['output', 'input', 'plans', 'hosts', 'running', 'mcp', 'commands'],
  'src/backend': ['browser', 'reports', 'presets', 'remote', 'monitors', 'store', 'agreements', 'results', 'visits', 'otlp', 'services'],
  'src/backend/services': [
    '.',
    'baselines',
    'lab',
    'monitors',
    'reports',
    'selftest',
    'targets',
    'crawl',
    'runs',
    'hosts',
    'checks',
    'tries',
    'recordings',
    'runGroups',
    'populate',
  ],
};
