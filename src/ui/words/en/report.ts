/** Words of the button that makes reports. */
export const report = {
  button: 'Report',
  choices: {
    pdfA4: 'PDF on A4',
    pdfLetter: 'PDF on Letter',
    html: 'Web page (one HTML file)',
    markdown: 'Markdown',
  },
  stages: {
    reading: 'Reading what was measured …',
    drawing: 'Drawing the charts …',
    printing: 'Printing the pages …',
    handedOver: 'Say where to save it; then its pages are printed …',
    done: 'Saving …',
  },
  saved: (fileName: string) => `${fileName} was saved.`,
};
