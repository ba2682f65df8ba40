/** A document for those who have none at hand. */
export const sampleDocument = {
  type: "markdown",
  title: "Returns and refunds",
  value: `# Returns and refunds

Goods can be sent back within 30 days of delivery. They must be unused, and in the packaging they came in.

## Refunds

Refunds are paid within 5 working days after the goods have arrived, by the means the order was paid with.

## Exchanges

An exchange is free of charge within the same country. For other countries the customer pays the postage.
`,
};

export const sampleQuestion = "When are refunds paid?";
