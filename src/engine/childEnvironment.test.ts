import { expect, it } from 'vitest';
import { childEnvironment } from './childEnvironment.ts';

it('childEnvironment keeps the variables that programs need, and drops all that may be secret', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/home/ada',
    LC_ALL: 'C',
    XDG_RUNTIME_DIR: '/run/user/1',
    XAUTHORITY: '/run/user/1/gdm/Xauthority',
    'ProgramFiles(x86)': 'C:\\',
    Path: 'C:\\',
  };
  const secrets = { SHOP_TOKEN: 'x', PGPASSWORD: 'x', AWS_SECRET_ACCESS_KEY: 'x', HTTPS_PROXY: 'http://ada:x@proxy/', HOME_TOKEN: 'x' };
  expect(childEnvironment({ ...needed, ...secrets })).toEqual(needed);
});
