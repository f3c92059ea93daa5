import { expect, it } from 'vitest';
import { hideSecrets } from './hideSecrets.ts';
import { planSchema } from './schema/plan.ts';

it('hides what a user says over a WebSocket as it hides bodies', () => {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'chat',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [
      {
        name: 'chat',
        stream: { kind: 'websocket', send: { messages: ['{"user":"ada","password":"open-sesame-17"}', 'hello'], everySeconds: 2 } },
      },
    ],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
  const kept: string[] = [];
  const hidden = hideSecrets(plan, (value) => `session:${kept.push(value)}`);
  expect(kept).toEqual(['open-sesame-17']);
  expect(JSON.stringify(hidden)).not.toContain('open-sesame-17');
  expect(hidden.journey[0]?.stream?.send).toMatchObject({ messages: [expect.stringContaining('"user":"ada"'), 'hello'], everySeconds: 2 });
});
