# A formula of Homebrew. Homebrew has no libexttextcat: languages are not guessed.
class Tributary < Formula
  desc "Which earlier texts flow into this one, how much, and through which passages"
  homepage "https://tributary.invalid"
  url "https://tributary.invalid/tributary-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000" # of SHA256SUMS
  license "Apache-2.0"

  depends_on "bash" => :build
  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "curl"
  depends_on "icu4c"
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "libmicrohttpd"
  depends_on "libxml2"
  depends_on "libyaml"
  depends_on "nettle"
  depends_on "openblas"
  depends_on "snowball"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"
  depends_on "zstd"

  on_macos do
    depends_on "libomp"
  end

  def install
    system "gmake", "install", "PREFIX=#{prefix}"
  end

  test do
    system bin/"tributary", "init", "first"
    system bin/"tributary", "run", "first/experiment.yaml"
    assert_match version.to_s, shell_output("#{bin}/tributary version")
  end
end
