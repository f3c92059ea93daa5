import { describe, expect, it } from 'vitest';
import { isKnownK6, parseK6Version, mainModule } from './mainModule.ts';

describe('mainModule', () => {
  it('re-exports the script, and reports only journeys', () => {
    const main = mainModule(
      'export const options = {};\nexport function setup() {}\nexport default function () {}\nexport async function browse() {}\nfunction hidden() {}\nexport function handleSummary() {}\n',
      'file:///tmp/script.js',
      { TOKEN: "it's" },
    );
    expect(main.split('\n').filter((line) => line.startsWith('export'))).toEqual([
      'export const options = script.options;',
      'export const setup = script.setup;',
      'export default told(script.default);',
      'export const browse = told(script.browse);',
      'export function handleSummary() {',
    ]);
    const lines = main.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['const environment = {"TOKEN":"it\'s"};', "const script = require('file:///tmp/script.js');"]),
    );
    expect(lines.indexOf('Object.assign(__ENV, environment);'), 'before the script is read').toBeLessThan(
      lines.findIndex((line) => line.includes('require(')),
    );
    expect(lines, 'k6 creates a new __ENV for each virtual user').toContain('    Object.assign(__ENV, environment);');
  });
});

describe('parseK6Version', () => {
  it.each([
    ['k6 v1.8.1 (go1.26.8, linux/amd64)\n', '1.8.1', true],
    ['k6.exe v1.2.0 (commit/1234567890, go1.24, windows/amd64)', '1.2.0', true],
    ['k6 v2.0.0-rc1 (go1.26, darwin/arm64)', '2.0.0-rc1', true],
    ['k6 v0.57.0 (go1.23.6, linux/amd64)\nExtensions:\n  github.com/grafana/xk6-sql v1.0.0', '0.57.0', false],
  ])('reads the version of %o', (output, version, isKnown) => {
    expect(parseK6Version(output)).toBe(version);
    expect(isKnownK6(version)).toBe(isKnown);
  });

  it.each(['', 'kubectl version v1.2.3', 'k6: command not found'])('returns null for %o', (output) => {
    expect(parseK6Version(output)).toBeNull();
  });
});
