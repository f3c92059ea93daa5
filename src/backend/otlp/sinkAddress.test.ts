import { expect, it } from 'vitest';
import { sinkAddress } from './sinkAddress.ts';

it.each([
  ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/metrics'],
  ['http://127.0.0.1:9090/api/v1/otlp/', 'http://127.0.0.1:9090/api/v1/otlp/v1/metrics'],
  ['https://otlp.example.org/v1/metrics?tenant=a#b', 'https://otlp.example.org/v1/metrics?tenant=a'],
])('sinkAddress: %s is sent to %s', (text, expected) => {
  expect(sinkAddress(text).href).toBe(expected);
});

it.each(['localhost:4318', 'file:///etc/passwd', 'grpc://127.0.0.1:4317', '', 'http://'])('sinkAddress: refuses “%s”', (text) => {
  expect(() => sinkAddress(text)).toThrow(/is not the address of an OTLP receiver/);
});

it('sinkAddress: refuses a password and does not repeat it', () => {
  expect(() => sinkAddress('https://me:s3cret@otlp.example.org/')).toThrow(/^--otlp otlp\.example\.org has a password/);
});
