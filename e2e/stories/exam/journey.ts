import type { PlanOfStory } from '../framework/scene.ts';

type Journey = PlanOfStory['journey'];

/** Returns a step for each bell, which waits for it and then starts or continues the attempt. */
export function startsAt(bells: readonly string[]): Journey {
  return bells.map((gate) => ({
    name: gate === 'start' ? 'start' : `start ${gate}`,
    gate,
    path: 'public/code/tce_test_execute.php?testid=1',
    checks: [{ kind: 'contains', text: 'Execute Test' }],
    reload: {},
  }));
}

/** Returns the journey of pupils who log in with an account each, and start the attempt at the bells. */
export function journeyOfPupils(bells: readonly string[]): Journey {
  return [
    {
      name: 'login page',
      path: 'public/code/index.php',
      captures: [{ from: 'body', as: 'token', pattern: 'name="csrf_token" value="([^"]*)"' }],
    },
    {
      name: 'log in',
      method: 'POST',
      path: 'public/code/index.php',
      form: { xuser_name: '{{accounts.username}}', xuser_password: '{{accounts.password}}', csrf_token: '{{token}}' },
      redirects: { follow: true },
      required: true,
      checks: [{ kind: 'contains', text: 'tce_logout.php' }],
    },
    ...startsAt(bells),
  ];
}
