/** US dollars that one run of the program has spent, in all its threads: those of the person and those with peers. */
export class RunSpending {
  #usd = 0;

  get usd(): number {
    return this.#usd;
  }

  add(usd: number): void {
    if (usd > 0) this.#usd += usd;
  }
}
