/** How much may still be made of a document: a few lines can ask for more than any machine holds, where parts stand within parts. */
export class Budget {
  private left: number;

  constructor(most: number) {
    this.left = most;
  }

  /** Takes `amount` of it; false when that is more than was left, and for everything after. */
  spend(amount: number): boolean {
    this.left -= amount;
    return this.left >= 0;
  }
}

/** Characters that the values of variables may bring into one plan: far more than 50 requests can hold. */
export const MOST_EXPANDED = 10_000_000;
