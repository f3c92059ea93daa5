import type { BreakKind } from '#lab/breaks.ts';

/** How a practice server behaves at the steps of its presets, which determines where its own kinds of breaks apply. */
export interface ServerRules {
  /** Path to which the server redirects requests without a login. */
  readonly login: string;
  /** For each form step, the form to which the server returns, relative to the step's address. */
  readonly forms: Readonly<Record<string, string>>;
  /** Pages that show a list. */
  readonly lists: readonly string[];
  /** Steps whose list may be empty at first, and steps whose response contains no list. */
  readonly mayBeEmpty: readonly string[];
  /** Pages that contain the login form. */
  readonly loginPages: readonly string[];
  readonly stores: readonly string[];
  readonly evaluates: readonly string[];
  readonly refuses: Readonly<Record<string, readonly BreakKind[]>>;
  /** Steps that work without a login; null if the server has no accounts. */
  readonly open: readonly string[] | null;
}

const CLOSED = ['closed'] as const;

export const SERVERS: Readonly<Record<string, ServerRules>> = {
  contest: {
    login: '/?next=%2F',
    forms: { login: '/', start: '/', submit: 'submissions' },
    lists: ['submissions'],
    mayBeEmpty: ['teams', 'scores', 'history'],
    loginPages: ['home', 'tasks'],
    stores: ['start', 'submit'],
    evaluates: ['evaluation'],
    refuses: {
      'first description': CLOSED,
      description: CLOSED,
      statement: CLOSED,
      form: CLOSED,
      submit: ['tooFrequent', 'closed', 'spent'],
      submissions: CLOSED,
      evaluation: CLOSED,
    },
    open: ['home', 'scoreboard', 'events', 'page', 'contests', 'tasks', 'teams', 'users', 'scores', 'history'],
  },
  'node-vs-gunicorn': {
    login: '/login',
    forms: {},
    lists: [],
    mayBeEmpty: [],
    loginPages: [],
    stores: [],
    evaluates: [],
    refuses: {},
    open: null,
  },
  registration: {
    login: '/login',
    forms: { register: '/', 'register again': '/' },
    lists: [],
    mayBeEmpty: [],
    loginPages: [],
    stores: ['register'],
    evaluates: [],
    refuses: { register: ['tooFrequent', 'closed', 'spent'] },
    open: null,
  },
  'school-site': {
    login: '/login?came_from=%2F',
    forms: { 'log in': '/login', answer: '/@@practice/select_chapter/5', 'next question': '/@@practice/select_chapter/5' },
    lists: [],
    mayBeEmpty: [],
    loginPages: ['login page'],
    stores: ['answer'],
    evaluates: [],
    refuses: { 'choose a chapter': CLOSED, answer: ['tooFrequent', 'closed', 'spent'], 'next question': CLOSED },
    open: ['start page', 'login page', 'cached'],
  },
  exam: {
    login: '/login',
    forms: { 'log in': '/login', 'start the exam': 'index.php', answer: 'index.php', summary: 'index.php', 'hand in': 'index.php' },
    lists: [],
    mayBeEmpty: [],
    loginPages: ['login page'],
    stores: ['answer', 'hand in'],
    evaluates: [],
    refuses: { 'start the exam': ['tooFrequent', 'closed', 'spent'], answer: CLOSED, 'hand in': CLOSED },
    open: ['login page'],
  },
  'survey-lab': {
    login: '/web/',
    forms: { upload: '/web/home' },
    lists: [],
    mayBeEmpty: ['06 who am I'],
    loginPages: ['01 login page'],
    stores: ['upload'],
    evaluates: [],
    refuses: { upload: CLOSED },
    open: ['01 login page', '02 who am I, before', '03 configuration', '05 home', '07 configuration again'],
  },
};
