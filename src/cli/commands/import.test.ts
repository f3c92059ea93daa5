import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARTILLERY, OPENAPI } from '#core/import/testing/documents.ts';
import { parsePlan } from '#core/review/check.ts';
import { startHarness } from '../testing/harness.ts';

describe('holdfast import', () => {
  it('prints the plan of a command from standard input, and differences from the original', async () => {
    const cli = await startHarness({ standardInput: 'ab -n 50 -c 5 -X proxy:3128 -C "sid=hush" http://127.0.0.1:8080/\n' });
    const { code, out, err } = await cli.run('import', 'auto');
    expect(code).toBe(0);
    const { plan, issues } = parsePlan(out);
    expect(issues).toEqual([]);
    expect(plan?.load).toMatchObject({ model: 'connections', stages: [{ connections: 5, requests: 50 }] });
    expect(err).toContain('This is an ab command (ApacheBench).\n');
    expect(err).toContain('left out: -X: The requests are sent through a proxy. Holdfast connects to the server directly,');
    expect(err).toContain('Before a run, set HOLDFAST_COOKIE to what the original says there.\n');
    expect(out + err).not.toContain('hush');
  });

  it('writes a valid file, and never overwrites an existing one', async () => {
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'test.yaml'), ARTILLERY);
    await writeFile(join(cli.directory, 'users.csv'), 'username,password\nada,x\n');
    expect(await cli.run('import', 'artillery', 'test.yaml', '-o', 'plan.yaml')).toMatchObject({ code: 0, out: '' });
    expect((await cli.run('validate', 'plan.yaml')).code).toBe(0);
    const before = await readFile(join(cli.directory, 'plan.yaml'), 'utf8');
    expect(await cli.run('import', 'auto', 'test.yaml', '-o', 'plan.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already') as unknown,
    });
    expect(await readFile(join(cli.directory, 'plan.yaml'), 'utf8')).toBe(before);
  });

  it('imports only the named operations', async () => {
    const cli = await startHarness({ standardInput: OPENAPI });
    const { code, out, err } = await cli.run('import', 'openapi', '--operations', 'getPet, removePet');
    expect(code).toBe(0);
    expect(parsePlan(out).plan?.journey.map(({ name }) => name)).toEqual(['getPet', 'removePet']);
    expect(err).toContain('2 of 4 operations were taken');
  });

  it('rejects operations together with an environment, because no format has both', async () => {
    const cli = await startHarness({ standardInput: OPENAPI });
    const { code, out, err } = await cli.run('import', 'auto', '--operations', 'getPet', '--environment', 'staging');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain("option '--environment <name>' cannot be used with option '--operations <ids>'");
  });

  it.each([
    ['--environment staging of an OpenAPI description', OPENAPI, ['--environment', 'staging']],
    ['--operations getPet of an Artillery script', ARTILLERY, ['--operations', 'getPet']],
    ['--operations getPet of a command of curl', 'curl http://127.0.0.1/', ['--operations', 'getPet']],
    ['--environment staging of an address', 'http://127.0.0.1/', ['--environment', 'staging']],
  ])('reports that %s selects nothing', async (_what, standardInput, options) => {
    const cli = await startHarness({ standardInput });
    const { code, out, err } = await cli.run('import', 'auto', ...options);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('OTHER_PARTS');
    expect(err).toContain(options[0] === '--operations' ? 'Only an OpenAPI description has operations' : 'Only these have environments: ');
  });

  it.each([
    ['curl', '--run', 'nightly'],
    ['har', '--plan', 'plan.yaml'],
    ['auto', '--days', '3'],
    ['har', '--operations', 'all'],
    ['openapi', '--environment', 'staging'],
    ['k6-prometheus', '--operations', 'all'],
    ['k6-prometheus', '-o', 'plan.yaml'],
  ])('rejects an option that does not apply to the format: %s %s', async (kind, option, value) => {
    const cli = await startHarness({ standardInput: 'curl http://127.0.0.1/' });
    const { code, out, err } = await cli.run('import', kind, option, value);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`does not apply to ${kind}`);
  });

  it('reports why the input cannot be imported', async () => {
    const cli = await startHarness({ standardInput: 'ab -n many http://127.0.0.1/' });
    expect(await cli.run('import', 'auto')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('COMMAND_UNREADABLE') as unknown,
    });
    expect((await cli.run('import', 'har')).code).toBe(2);
    expect((await cli.run('import', 'soapui')).code).toBe(1);
    expect((await cli.run('import', 'auto', 'missing.har')).code).toBe(1);
  });
});
