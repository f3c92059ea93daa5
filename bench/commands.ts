/** A measurement whose arguments have been parsed. Nothing is measured before it is called. */
export type Measurement = (signal: AbortSignal, print: (line: string) => void) => void | Promise<void>;

/** A campaign with its own options. The code of a campaign is loaded only when the campaign is used, because it opens a whole app. */
type Campaign = (parameters: readonly string[]) => Promise<Measurement>;
const CAMPAIGNS: ReadonlyMap<string, Campaign> = new Map<string, Campaign>([
  ['conclusions', async (parameters) => (await import('./conclusions/conclusions.ts')).readConclusions(parameters)],
  ['coverage', async (parameters) => (await import('./coverage/coverage.ts')).readCoverage(parameters)],
  ['fuzz', async (parameters) => (await import('./fuzz/fuzz.ts')).readFuzz(parameters)],
  ['handshakes', async (parameters) => (await import('./handshakes/handshakes.ts')).readHandshakes(parameters)],
  ['hostile', async (parameters) => (await import('./hostile/hostile.ts')).readHostile(parameters)],
  ['kills', async (parameters) => (await import('./kills/kills.ts')).readKills(parameters)],
  ['listeners', async (parameters) => (await import('./listeners.ts')).readListeners(parameters)],
  ['pages', async (parameters) => (await import('./pages/pages.ts')).readPages(parameters)],
  ['results', async (parameters) => (await import('./results.ts')).readResults(parameters)],
  ['screens', async (parameters) => (await import('./screens/screens.ts')).readScreens(parameters)],
]);

/**
 * Parses the arguments of `npm run bench --`, which select a campaign or a comparison with other load generators. @throws with every
 * problem at once, one per line, and the usage.
 */
export async function readCommand([first, ...others]: readonly string[]): Promise<Measurement> {
  const campaign = CAMPAIGNS.get(first ?? '');
  if (campaign !== undefined) return campaign(others);
  const { readBeside } = await import('./beside.ts');
  return readBeside(first === undefined ? [] : [first, ...others]);
}
