import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startHarness } from '../testing/harness.ts';

const calculationSchema = z.looseObject({
  calculator: z.string(),
  inputs: z.record(z.string(), z.number().nullable()),
  table: z.looseObject({ rows: z.array(z.looseObject({ label: z.string(), values: z.array(z.number().nullable()) })) }),
});

describe('calculate', () => {
  it('prints the data volume per year, and exact figures as JSON', async () => {
    const cli = await startHarness();
    const askedNames = ['calculate', 'data-volume', '--years', '2', '--disk-gigabytes', '320'];
    const { code, out } = await cli.run(...askedNames);
    expect(code).toBe(0);
    expect(out).toMatch(/^After 2 years there are 422 GB \(393 GiB\) of photos and rows from 3,888,000 responses/);
    expect(out).toMatch(/^Students +2,400 +7,200 +9,600$/m);
    expect(out).toMatch(/^Problem: .*full in year 2/m);
    const json = calculationSchema.parse(JSON.parse((await cli.run(...askedNames, '--json')).out));
    expect(json.inputs).toMatchObject({ years: 2, 'schools-added': 20, 'stated-students': null });
    expect(json.table.rows.find(({ label }) => label === 'Photos on disk')?.values.at(-1)).toBe(406_832_544_000);
  });

  it('prints how many connections a database allows', async () => {
    const cli = await startHarness();
    const { code, out } = await cli.run('calculate', 'connections', '--memory-gib', '4', '--limit-seen', '291');
    expect(code).toBe(0);
    expect(out).toMatch(/^All that the machine has +341 +450$/m);
    expect(out).toContain('That fits MySQL.');
  });

  it('prints how many people a request rate serves', async () => {
    const cli = await startHarness();
    const { code, out } = await cli.run('calculate', 'participants', '--poll-seconds', '15', '--measured-per-second', '981.73');
    expect(code).toBe(0);
    expect(out).toMatch(/^750 participants send 200 requests a second\. .*enough for 3,681 participants\./);
    expect(out).toMatch(/^Measured \/ expected +4\.91 ×$/m);
  });

  it('reports every invalid input and lists the available calculators', async () => {
    const cli = await startHarness();
    const wrong = await cli.run('calculate', 'data-volume', '--years', '0', '--students', 'many');
    expect([wrong.code, wrong.out]).toEqual([1, '']);
    expect(wrong.err).toMatch(/--years: .*\n.*--students: /);
    expect((await cli.run('calculate', '--help')).out).toMatch(/participants[\s\S]*connections[\s\S]*data-volume/);
    expect((await cli.run('calculate', 'tides')).code).toBe(1);
  });
});
