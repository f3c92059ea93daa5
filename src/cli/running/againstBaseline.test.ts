import { expect, it } from 'vitest';
import { createClient } from '#contract/rpc/client.ts';
import { requestFrameSchema } from '#contract/rpc/frames.ts';
import { portPair } from '#contract/rpc/port.ts';
import { EXIT } from '../exitCodes.ts';
import { memoryOutput } from '../testing/memoryOutput.ts';
import { judgeAgainstBaseline, combineExitCodes } from './againstBaseline.ts';

it.each([
  ['a pass that is not worse', EXIT.fine, EXIT.fine, EXIT.fine],
  ['a pass that is worse', EXIT.fine, EXIT.worse, EXIT.worse],
  ['a pass that cannot be compared', EXIT.fine, EXIT.inconclusive, EXIT.inconclusive],
  ['a failed criterion, which outranks a worse result', EXIT.criteriaFailed, EXIT.worse, EXIT.criteriaFailed],
  ['inconclusive criteria, and worse', EXIT.inconclusive, EXIT.worse, EXIT.worse],
  ['inconclusive criteria, and not worse', EXIT.inconclusive, EXIT.fine, EXIT.inconclusive],
])('the exit code of a comparison with a baseline: %s', (_, measured, compared, expected) =>
  expect(combineExitCodes(measured, compared)).toBe(expected),
);

it.each([
  ['a pass becomes inconclusive', EXIT.fine, EXIT.inconclusive],
  ['a failed criterion stays failed', EXIT.criteriaFailed, EXIT.criteriaFailed],
])('a baseline that was deleted during the run is reported: %s', async (_, code, expected) => {
  const [here, there] = portPair();
  there.onFrame((text) => {
    const frame = requestFrameSchema.parse(JSON.parse(text));
    expect(frame).toMatchObject({ type: 'call', method: 'baselines.compare' });
    there.send(JSON.stringify({ type: 'result', id: frame.id, output: { baseline: null, isPart: false, comparison: null } }));
  });
  const [out, err] = [memoryOutput(), memoryOutput()];
  const options = { isQuiet: true, isOutputTaken: false };
  const reported = await judgeAgainstBaseline(
    { code, runIds: ['run'] },
    { side: null, tolerance: 0.05 },
    options,
    { out, err },
    createClient(here),
  );
  expect([reported, out.text, err.text]).toEqual([expected, '', expect.stringContaining('The baseline is gone')]);
});
