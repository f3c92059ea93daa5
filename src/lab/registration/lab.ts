import { z } from 'zod';
import type { RunningLab } from '../lab.ts';
import { databaseAddress, openLab, practiceServer } from '../openLab.ts';
import { missingPostgresql, startPostgresql } from '../programs/postgresql.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { LIST_PATH } from './app.ts';
import { options, type Values } from './options.ts';
import { SPARE_CONNECTIONS } from './rows.ts';

const gaugesSchema = z.record(z.string(), z.number());

export const registrationLab = practiceServer({
  name: 'registration',
  title: 'Registration',
  story:
    'A form for a limited number of places, for which many people come at the same second. With a race, more places are given than there are.',
  options,
  missing: (environment) => missingPostgresql(environment, 'Without it, rows stay in memory.'),
  needs: ({ database }, missing) => missing.map((one) => ({ ...one, needed: database === 'postgresql' })),
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values): Promise<RunningLab> {
  const database = values.database === 'none' ? null : await startPostgresql(supervisor, values.workers + SPARE_CONNECTIONS);
  const app = await supervisor.part('registration', 'registration', {
    log: supervisor.logFile('registration'),
    port: values.port,
    database,
    values,
  });
  return openLab(supervisor, {
    name: registrationLab.name,
    urls: [app.url],
    addresses: [
      { label: 'Registration', url: app.url, help: 'The page with the form.' },
      { label: 'List', url: new URL(LIST_PATH, app.url).href, help: 'All registered people, one e-mail address for each row.' },
      ...(database === null ? [] : [databaseAddress(database)]),
    ],
    facts: { places: values.places, race: values.race ? 'yes' : 'no', serviceMs: values['service-ms'], workers: values.workers },
    gauges: async () => gaugesSchema.parse(await app.ask('gauges')),
    actions: { forget: () => app.ask('forget') },
  });
}
