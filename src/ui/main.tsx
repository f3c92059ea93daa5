import './app/withoutEval.ts';
import { App } from './app/App.tsx';
import { browserClock, connect } from './app/connection.ts';
import { loadTheRest } from './app/later.ts';
import { keepDroppedFilesOut, watchOpenedFiles } from './app/wizardSeed.ts';
import { takeKey } from './app/pageKey.ts';
import { dialFor } from './app/ports.ts';
import { newQueries } from './app/queries.ts';
import { STORED } from './app/stored.ts';
import { applyTheme, storedTheme } from './app/theme.ts';
import { readOffers } from './app/first/offers.ts';
import { takeOver } from './app/first/takeOver.ts';
import './styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');

applyTheme(storedTheme(localStorage), document.documentElement);
const key = window.holdfast ? null : takeKey(window);
const connection = connect(dialFor(window, key), browserClock);
key?.follow(connection);
watchOpenedFiles();
keepDroppedFilesOut();
const draft = sessionStorage.getItem(STORED.draft);
takeOver(root, <App connection={connection} queries={newQueries(connection)} draft={draft} offers={readOffers(document)} />);
loadTheRest();
