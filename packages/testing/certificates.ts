import { generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Encodes an ASN.1 value in DER (X.690): tag, length in bytes, content. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const time = (text: string) => der(0x17, Buffer.from(text));

const commonName = oid(0x55, 0x04, 0x03);
const subjectAlternativeName = oid(0x55, 0x1d, 0x11);
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

const basicConstraints = oid(0x55, 0x1d, 0x13);

/** A certificate and its key in PEM, as `https.createServer` expects. */
interface Certificate {
  key: string;
  cert: string;
}

const encodeName = (name: string) => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));

/** Creates a key and a certificate (RFC 5280) for a name or an IPv4 address. Without an issuer it is a self-signed authority. */
function createCertificate(name: string, issuer?: { name: string; key: string }): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const names = der(
    0x04,
    sequence(isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))),
  );
  const isAuthority = der(0x04, sequence(der(0x01, Buffer.from([0xff]))));
  const extensions = [
    sequence(subjectAlternativeName, names),
    ...(issuer ? [] : [sequence(basicConstraints, isAuthority)]),
  ];
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(7)])),
    ecdsaWithSha256,
    encodeName(issuer?.name ?? name),
    sequence(time("200101000000Z"), time("491231235959Z")),
    encodeName(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toBeSigned, issuer?.key ?? privateKey));
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Creates a self-signed certificate for a host name. */
export const createSelfSignedCertificate = (hostname: string): Certificate => createCertificate(hostname);

interface CertificateFiles extends Certificate {
  keyFile: string;
  certFile: string;
}

/** A company's certificate authority, which no machine trusts by default. Its files exist until `close`. */
export class CertificateAuthority {
  readonly #folder = mkdtempSync(join(tmpdir(), "certificate-authority-"));
  // Trusted authorities are looked up by name, so the name must be unique.
  readonly #name = `authority ${randomUUID()}`;
  readonly authority: CertificateFiles = this.#write("authority", createCertificate(this.#name));

  /** Issues a certificate for a host name, an IPv4 address, or a client with this name. */
  issue(name: string): CertificateFiles {
    return this.#write(name, createCertificate(name, { name: this.#name, key: this.authority.key }));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #write(name: string, { key, cert }: Certificate): CertificateFiles {
    const [keyFile, certFile] = [join(this.#folder, `${name}.key`), join(this.#folder, `${name}.pem`)];
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert);
    return { key, cert, keyFile, certFile };
  }
}
