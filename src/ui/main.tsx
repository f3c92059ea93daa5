import { createRoot } from 'react-dom/client';
import './app/withoutEval.ts';
import { App } from './app/App.tsx';
import { browserClock, connect } from './app/connection.ts';
import { loadTheRest } from './app/later.ts';
import { keepDroppedFilesOut, watchOpenedFiles } from './app/wizardSeed.ts';
import { takeKey } from './app/pageKey.ts';
import { dialFor } from './app/ports.ts';
import { newQueries } from './app/queries.ts';
import { applyTheme, storedTheme } from './app/theme.ts';
import './styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');

applyTheme(storedTheme(localStorage), document.documentElement);
const key = window.holdfast ? null : takeKey(window);
const connection = connect(dialFor(window, key), browserClock);
key?.follow(connection);
watchOpenedFiles();
keepDroppedFilesOut();
createRoot(root).render(<App connection={connection} queries={newQueries(connection)} />);
loadTheRest();
