import type { Product } from "@agent-backends/contract";
import { SafeLink } from "../markdown/SafeLink.tsx";
import { ScrollingTable } from "../markdown/ScrollingTable.tsx";

export function LaunchTable({ products }: { products: readonly Product[] }) {
  return (
    <ScrollingTable label="Launches">
      <thead>
        <tr>
          <th className="number">#</th>
          <th>Launch</th>
          <th className="topics">Topics</th>
          <th className="number">Votes</th>
        </tr>
      </thead>
      <tbody>
        {products.map((product, index) => (
          <tr key={product.id}>
            <td className="number">{index + 1}</td>
            <td>
              <SafeLink href={product.url}>{product.name}</SafeLink>
              <div className="muted">{product.tagline}</div>
            </td>
            <td className="topics">{product.topics?.join(", ")}</td>
            <td className="number">{product.votesCount?.toLocaleString("en") ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}
