export const calculate = {
  title: 'Calculate',
  story: 'What needs no test, only arithmetic. Nothing is sent.',
  choose: 'Question',
  answer: 'Answer',
  notes: 'Good to know',
  what: 'Figure',
  asProposed: 'As proposed',
  changed: (count: number) => `${count} changed`,
  correct: 'Correct the marked entry: the figures are those of its proposed value until then.',
  /** On the page where a question is chosen. */
  helps: 'Before the test, arithmetic helps with this question:',
};
