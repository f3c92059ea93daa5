// Implements `npm start`, `npm test`, `npm run build`, `npm run bench`, `npm run stories`, `npm run mutants` and `npm run holdfast` in a
// checkout: first the set-up, then the command.
import path from 'node:path';
import { ensureBuild, isBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { environmentFor, findNode } from './node.mjs';
import { run, print } from './run.mjs';
import { start } from './start.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const [verb, ...args] = process.argv.slice(2);

/** Returns the user's folder. npm runs scripts in the folder of the project, but file names are relative to the user's folder. */
function userDirectory() {
  const { npm_lifecycle_event: script, INIT_CWD: directory } = process.env;
  return (script === 'holdfast' || script === 'bench') && directory ? directory : process.cwd();
}

const verbs = {
  start: (node, environment) => start({ root, node, environment, args }),
  test: (node, environment) => run(node, [path.join(root, 'tools', 'check', 'main.ts'), ...args], { cwd: root, env: environment }),
  build: async (node, environment) => {
    await ensureBuild(root, { node, environment, force: true });
    return 0;
  },
  bench: (node, environment) => run(node, [path.join(root, 'bench', 'main.ts'), ...args], { cwd: userDirectory(), env: environment }),
  stories: (node, environment) => run(node, [path.join(root, 'e2e', 'stories', 'main.ts'), ...args], { cwd: root, env: environment }),
  mutants: (node, environment) => run(node, [path.join(root, 'tools', 'mutation', 'main.ts'), ...args], { cwd: root, env: environment }),
  // A build starts faster than the sources. If there is no build, the sources run at once.
  holdfast: async (node, environment) => {
    const cwd = userDirectory();
    if (!(await isBuilt(root))) return run(node, [path.join(root, 'src', 'cli', 'main.ts'), ...args], { cwd, env: environment });
    // The command runs in this process, as in the installed package, because another process would start 30 ms later.
    process.chdir(cwd);
    process.argv.splice(2, 1);
    await import('./package.mjs');
    return process.exitCode;
  },
};

try {
  if (!Object.hasOwn(verbs, verb)) throw new Error(`There is no "${verb}": use one of ${Object.keys(verbs).join(', ')}.`);
  const node = await findNode();
  const environment = environmentFor(node);
  await ensureDependencies(root, environment);
  process.exitCode = await verbs[verb](node, environment);
} catch (error) {
  print(error.message);
  process.exitCode = 1;
}
