import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installOwnPackages } from "../install-own-packages.ts";

const debianPackages = {
  go: ["golang-go", "golang-github-masterminds-sprig-dev", "golang-gopkg-yaml.v3-dev"],
  nginx: ["nginx-light"],
  "docker-compose": ["docker-compose"],
  "systemd-analyze": ["systemd"],
  openssl: ["openssl"],
};

/** Installs what the checks need: npm packages from their own lock file and, as root, programs from Debian. */
export default function install(): void {
  installOwnPackages(import.meta.dirname);
  const missing = Object.entries(debianPackages).filter(([program]) => !has(program));
  if (missing.length === 0) return;
  const names = missing.flatMap(([, packages]) => packages);
  const command = `apt-get -qq update && apt-get -qq install -y --no-install-recommends ${names.join(" ")}`;
  if (process.getuid?.() !== 0) throw new Error(`These checks need more programs. As root: ${command}`);
  execFileSync("sh", ["-c", `${command} >/dev/null`], { stdio: "inherit" });
}

function has(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(`${folder}/${program}`));
}
