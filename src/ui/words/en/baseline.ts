/** Words of baselines: runs that later ones of the same question are set against. Counts and dates arrive formatted. */
export const baseline = {
  title: 'Against the baseline',
  loading: 'the baseline',
  none: 'No run is the baseline of this question yet. Name one, and later runs at the same target are set against it here and in the history.',
  isPart: (runs: string) =>
    runs === '1'
      ? 'This run is the baseline: later ones of this question at this target are set against it.'
      : `This run is one of ${runs} that are the baseline: later ones of this question at this target are set against them.`,
  isEarlier: 'A later run is the baseline of this question: what came before it is not set against it.',
  few: 'Five runs or more tell how far runs differ by themselves; with fewer, no difference is claimed. Choose them in the history, or name a run of a series with repeats.',
  of: (runs: string, when: string) => `The baseline: ${runs} ${runs === '1' ? 'run' : 'runs'}, named ${when}`,
  name: 'Make this run the baseline',
  replace: 'Make this run the baseline instead',
  nameChosen: 'Make them the baseline',
  takeBack: 'Take the baseline back',
  named: (runs: string) => (runs === '1' ? 'The run is the baseline now.' : `${runs} runs are the baseline now.`),
  takenBack: 'There is no baseline of this question any more.',
  figures: {
    title: 'Every figure',
    caption: 'Every figure beside the baseline',
    baseline: 'The baseline',
    run: 'This run',
    repeats: 'This run and its repeats',
  },
  inHistory: {
    isBaseline: 'baseline',
    worse: 'worse than the baseline',
    better: 'better than the baseline',
    different: 'differs from the baseline',
    withinNoise: 'within noise of the baseline',
    tooFew: 'baseline: too few runs to tell',
    refused: 'baseline: another plan',
  },
};
