# A derivation of Nix: callPackage ./nix.nix { }
{ lib, stdenv, fetchurl, bash, pkg-config, curl, icu, jansson, libarchive, libexttextcat
, libmicrohttpd, libstemmer, libxml2, libyaml, nettle, openblas, sqlite, xxHash, zlib, zstd }:

stdenv.mkDerivation rec {
  pname = "tributary";
  version = "0.1.0";
  src = fetchurl {
    url = "https://tributary.invalid/tributary-${version}.tar.xz";
    sha256 = "0000000000000000000000000000000000000000000000000000"; # of SHA256SUMS
  };
  nativeBuildInputs = [ bash pkg-config ];
  buildInputs = [
    curl icu jansson libarchive libexttextcat libmicrohttpd libstemmer libxml2 libyaml nettle
    openblas sqlite xxHash zlib zstd
  ];
  makeFlags = [ "PREFIX=$(out)" "SHELL=${bash}/bin/bash" ];
  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/tributary init first
    $out/bin/tributary run first/experiment.yaml
  '';
  meta = {
    description = "Which earlier texts flow into this one, how much, and through which passages";
    homepage = "https://tributary.invalid";
    license = lib.licenses.asl20;
    platforms = lib.platforms.linux;
    mainProgram = "tributary";
  };
}
