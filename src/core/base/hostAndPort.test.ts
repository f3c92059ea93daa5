import { expect, it } from 'vitest';
import { hostAndPort, portOfAddress } from './hostAndPort.ts';

it('hostAndPort: joins a host name or an IP address with its port, which portOfAddress returns', () => {
  const places = [hostAndPort('10.0.0.3', 5432), hostAndPort('::1', 80), hostAndPort('db', null)];
  expect(places).toEqual(['10.0.0.3:5432', '[::1]:80', 'db:*']);
  expect(places.map(portOfAddress)).toEqual(['5432', '80', '*']);
});
