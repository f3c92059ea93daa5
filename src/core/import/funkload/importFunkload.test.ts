import { describe, expect, it } from 'vitest';
import { FUNKLOAD } from '../testing/documents.ts';
import { importedOf, notesOf, refusalOf } from '../testing/imported.ts';

describe('a configuration of FunkLoad', () => {
  const school = () => importedOf(FUNKLOAD);

  it('makes a stage of users of each cycle', () => {
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

  it('asks for the main page with what it loads, and says that the steps are elsewhere', () => {
    const imported = school();
    expect(imported.plan.name).toBe('Practice as a pupil');
    expect(imported.plan.story).toBe('Answers exercises\non many pages');
    expect(imported.plan.targets).toMatchObject([{ url: 'http://school.example:8080/', headers: { 'User-Agent': 'Mozilla/5.0' } }]);
    expect(imported.plan.journey).toMatchObject([{ path: '/app', resources: {}, expectStatus: [200, 302] }]);
    expect(notesOf(imported)).toEqual(['leftOut [test_practice]', 'leftOut [monitor]', 'changed bench.sleep_time']);
  });

  it('is read by name, and refused without a server', () => {
    expect(importedOf(FUNKLOAD, { kind: 'funkload' }).plan).toEqual(school().plan);
    expect(refusalOf('[main]\ntitle=A\n', { kind: 'funkload' })).toEqual(['OTHER_KIND']);
    expect(refusalOf('[main]\ntitle=A\n[bench]\ncycles=1:2\n')).toEqual(['NO_ADDRESS main.url']);
  });
});
