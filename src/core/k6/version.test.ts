import { describe, expect, it } from 'vitest';
import { isKnownK6, k6VersionIn } from './version.ts';

describe('the version of k6', () => {
  it.each([
    ['k6 v1.8.1 (go1.26.8, linux/amd64)\n', '1.8.1', true],
    ['k6.exe v1.2.0 (commit/1234567890, go1.24, windows/amd64)', '1.2.0', true],
    ['k6 v2.0.0-rc1 (go1.26, darwin/arm64)', '2.0.0-rc1', true],
    ['k6 v0.57.0 (go1.23.6, linux/amd64)\nExtensions:\n  github.com/grafana/xk6-sql v1.0.0', '0.57.0', false],
  ])('%o', (output, version, isKnown) => {
    expect(k6VersionIn(output)).toBe(version);
    expect(isKnownK6(version)).toBe(isKnown);
  });

  it.each(['', 'kubectl version v1.2.3', 'k6: command not found'])('%o has none', (output) => {
    expect(k6VersionIn(output)).toBeNull();
  });
});
