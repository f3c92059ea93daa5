import { describe, expect, it } from 'vitest';
import { posixCommands } from './posix.ts';
import { ShellVariables } from './expansion.ts';

describe('ShellVariables', () => {
  it('returns the last value of a variable, or else its default', () => {
    const variables = new ShellVariables();
    variables.assignFrom(['export', 'HOST=a', 'PORT=80']);
    variables.assignFrom(['PORT=81']);
    variables.assignFrom(['PORT=82', 'curl']);
    expect(['HOST', 'PORT', 'PATH_OF'].map((name) => variables.valueOf(name, '/x'))).toEqual(['a', '81', '/x']);
    expect([...variables.assumed]).toEqual([['PATH_OF', '/x']]);
    expect(variables.valueOf('NOBODY', null)).toBeNull();
  });

  it('returns no value for a name that suggests a secret', () => {
    const variables = new ShellVariables();
    variables.assignFrom(['PASSWORD=hush']);
    expect(variables.valueOf('PASSWORD', 'x')).toBeNull();
  });

  it('limits the total length of all values in here-documents', () => {
    const document = 'curl -d @- http://a.example/ <<E\n$A\nE\n';
    const { commands } = posixCommands(`A=${'x'.repeat(60_000)}\n${document.repeat(50)}`);
    const letters = commands.reduce((sum, { input }) => sum + (input?.kind === 'text' ? input.text.length : 0), 0);
    expect(commands).toHaveLength(50);
    expect(letters).toBeLessThan(200_000);
  });
});
