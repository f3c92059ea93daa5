import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { PluginOption } from 'vite';
import { readYaml } from '#core/plan/readYaml.ts';

/** Writes the presets next to the build as JSON, because parsing YAML took half of the app's start time. */
export function presetsAsJson(directory: string): PluginOption {
  return {
    name: 'holdfast-presets-as-json',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'node',
    async generateBundle() {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.yaml'));
      for (const name of names) {
        const { value, issues } = readYaml(await readFile(join(directory, name), 'utf8'));
        if (issues.length > 0) this.error(`${name} is no YAML: ${issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
        this.emitFile({ type: 'asset', fileName: `presets/${parse(name).name}.json`, source: JSON.stringify(value) });
      }
    },
  };
}
