/** A run's first slab, which is all that a short answer needs, and its further ones. */
const slabSizes = [4 * 1_024, 64 * 1_024];

/**
 * Memory for events. Slabs are used again, because new memory costs more than the copy into it: the system fills it with zeros, and
 * the garbage collector has to free it.
 */
export class SlabPool {
  /** What is taken and not given back. */
  usedBytes = 0;
  readonly #free = new Map<number, Buffer[]>(slabSizes.map((size) => [size, []]));

  /** @param isFirst whether it is the first slab of a run */
  take(minBytes: number, isFirst: boolean): Buffer {
    const size = slabSizes.slice(isFirst ? 0 : 1).find((one) => one >= minBytes) ?? minBytes;
    this.usedBytes += size;
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  give(slab: Buffer): void {
    this.usedBytes -= slab.length;
    this.#free.get(slab.length)?.push(slab);
  }

  /** Frees half of what nobody uses. */
  shrink(): void {
    for (const slabs of this.#free.values()) slabs.length = Math.floor(slabs.length / 2);
  }
}
