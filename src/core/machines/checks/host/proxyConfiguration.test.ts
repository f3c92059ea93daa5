import { expect, it } from 'vitest';
import { nginxConfiguration } from './surroundings.ts';

it('nginxConfiguration: writes a configuration that proxies one address to several servers with kept connections', () => {
  const text = nginxConfiguration(['http://10.0.0.7:8888', 'http://10.0.0.7', 'http://[fd00::1]:81']);
  expect(text.match(/^ +server .*;$/gm)).toEqual(['    server 10.0.0.7:8888;', '    server 10.0.0.7:80;', '    server [fd00::1]:81;']);
  expect(text).toContain('proxy_pass http://servers;');
  expect(text).toContain('keepalive 500;');
  expect(text).not.toContain('hash');
  const secure = nginxConfiguration(['https://a.internal', 'https://b.internal:8443']);
  expect(secure).toContain('server a.internal:443;');
  expect(secure).toContain('proxy_pass https://servers;');
});
