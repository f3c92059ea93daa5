import { describe, expect, it } from 'vitest';
import { FUNKLOAD } from '../testing/documents.ts';
import { readImported, listNotes, findRefusal } from '../testing/imported.ts';

describe('importFunkload with a configuration', () => {
  const school = () => readImported(FUNKLOAD);

  it('makes a stage of users for each cycle', () => {
    const imported = school();
    expect(imported.kind).toBe('funkload');
    expect(imported.plan.load).toMatchObject({
      model: 'users',
      thinkTime: { kind: 'uniform', fromSeconds: 0, toSeconds: 2 },
      stages: [
        { users: 50, startUpSeconds: 25, seconds: 180 },
        { users: 100, restSeconds: 2, startUpSeconds: 50, seconds: 180 },
        { users: 1_000, restSeconds: 2, startUpSeconds: 500, seconds: 180 },
      ],
    });
  });

  it('requests the main page with its resources, and notes that the steps are in another file', () => {
    const imported = school();
    expect(imported.plan.name).toBe('Practice as a pupil');
    expect(imported.plan.story).toBe('Answers exercises\non many pages');
    expect(imported.plan.targets).toMatchObject([{ url: 'http://school.example:8080/', headers: { 'User-Agent': 'Mozilla/5.0' } }]);
    expect(imported.plan.journey).toMatchObject([{ path: '/app', resources: { how: 'serial', reads: 'tags' }, expectStatus: [200] }]);
    expect(listNotes(imported)).toEqual(['leftOut [monitor]', 'leftOut [test_practice]']);
  });

  const CONFIGURED = (bench: string): string => `[main]\nurl=http://%(host)s:81/a\nhost=school.example\n[bench]\ncycles=1:2\n${bench}`;
  const stepOf = (bench: string) => readImported(CONFIGURED(bench)).plan.journey[0];

  it('adds the pauses after each page and after each test', () => {
    const { plan } = readImported(
      CONFIGURED('sleep_time=1.2\nsleep_time_min=.1\nsleep_time_max=.5\nstartup_delay=.25\ncycle_time=3.\nduration=8'),
    );
    expect(plan.load).toMatchObject({
      thinkTime: { kind: 'uniform', fromSeconds: 0.1, toSeconds: 0.5 },
      stages: [
        { users: 1, startUpSeconds: 0.25, restSeconds: 0, seconds: 8 },
        { users: 2, startUpSeconds: 0.5, restSeconds: 3, seconds: 8 },
      ],
    });
    expect(plan.journey[0]?.thinkTime).toEqual({ kind: 'uniform', fromSeconds: 1.3, toSeconds: 1.7 });
    expect(stepOf('sleep_time=2')?.thinkTime).toEqual({ kind: 'fixed', seconds: 2 });
    expect(stepOf('sleep_time_min=3\nsleep_time_max=1')?.thinkTime).toBeUndefined();
    expect(readImported(CONFIGURED('sleep_time_min=3\nsleep_time_max=1')).plan.load).toMatchObject({
      thinkTime: { fromSeconds: 3, toSeconds: 5 },
    });
  });

  it('follows redirects with an accepted status, and expects the other statuses unchanged', () => {
    expect(stepOf('')).toMatchObject({ expectStatus: [200], redirects: { follow: true, most: 10 } });
    expect(stepOf('ok_codes=200:404:302')).toMatchObject({ expectStatus: [200, 404], redirects: { follow: true } });
    expect(stepOf('ok_codes=200:401')).toMatchObject({ expectStatus: [200, 401] });
    expect(stepOf('ok_codes=200:401')?.redirects).toBeUndefined();
  });

  it('fetches resources of tags serially with a connection for each request, unless simple_fetch is set', () => {
    expect(readImported(CONFIGURED('')).plan.connections.reuse).toBe('never');
    expect(stepOf('')?.resources).toMatchObject({ kinds: ['css', 'image', 'icon'], how: 'serial', reads: 'tags' });
    expect(stepOf('simple_fetch=1')?.resources).toBeUndefined();
  });

  it('interpolates other settings of a section, up to Python’s depth limit', () => {
    expect(readImported(CONFIGURED('')).plan.targets[0]?.url).toBe('http://school.example:81/');
    expect(findRefusal('[main]\nurl=%(url)s\n[bench]\ncycles=1\n')).toEqual(['NO_ADDRESS main.url']);
  });

  it('accepts the format by name, and refuses a configuration without a server', () => {
    expect(readImported(FUNKLOAD, { kind: 'funkload' }).plan).toEqual(school().plan);
    expect(findRefusal('[main]\ntitle=A\n', { kind: 'funkload' })).toEqual(['OTHER_KIND']);
    expect(findRefusal('[main]\ntitle=A\n[bench]\ncycles=1:2\n')).toEqual(['NO_ADDRESS main.url']);
  });
});
