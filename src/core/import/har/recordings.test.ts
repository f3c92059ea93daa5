import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importedOf } from '../testing/imported.ts';

/** Recorded with Chromium on the practice servers; the contents of style sheets, scripts and pictures are taken out. */
const recording = (name: string) => importedOf(readFileSync(new URL(`../testing/recordings/${name}.har`, import.meta.url), 'utf8'));

describe('recordings of Chromium', () => {
  it('of a login becomes one that each user makes for themselves', () => {
    const { plan, secrets } = recording('contest-login');
    expect(plan.journey.map(({ name }) => name)).toEqual(['GET /', 'POST /login', 'GET /tasks/coprobber/description']);
    expect(plan.journey[1]).toMatchObject({
      form: { _xsrf: '{{cookie._xsrf}}', next: '', username: 'contestant1', password: '{{password}}' },
      redirects: { follow: true },
    });
    expect(plan.journey[0]?.resources?.kinds).toEqual(['css', 'script']);
    expect(plan.journey[1]?.thinkTime).toBeDefined();
    expect(plan.cookies).toBe('journey');
    expect([...secrets]).toEqual([['HOLDFAST_PASSWORD', 'anchor-11']]);
    expect(plan.targets[0]?.headers).toMatchObject({ 'Accept-Language': 'en-US,en;q=0.9' });
  });

  it('of an upload tells that browsers do not record files', () => {
    const { plan, notes } = recording('contest-submit');
    expect(plan.journey.at(-1)).toMatchObject({ method: 'POST', path: '/tasks/coprobber/submit' });
    expect(JSON.stringify(plan)).not.toContain('boundary');
    expect(notes.map(({ what }) => what)).toContainEqual(expect.stringContaining('does not hold what was sent (multipart/form-data)'));
  });

  it('of a login that went wrong is a journey like any other', () => {
    expect(recording('contest-wrong-login').plan.journey.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /', 'POST /login']);
  });

  it('of a site with pages groups what they load, and leaves other servers out', () => {
    const { plan, notes } = recording('school');
    expect(plan.journey).toHaveLength(2);
    expect(plan.journey[0]?.resources?.kinds).toEqual(['css', 'script', 'image']);
    expect(plan.journey[1]?.resources).toBeDefined();
    expect(plan.journey.every(({ captures }) => captures === undefined)).toBe(true);
    expect(notes.map(({ what }) => what)).toContainEqual(expect.stringContaining('1 request goes to 127.0.0.1:19751'));
  });
});
